/* The program around a sketch, on an ATmega with its serial line, or on this machine.
 * SPDX-License-Identifier: MIT */
#include "Arduino.h"

#if defined(__AVR__)
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

static void put(char byte)
{
    UCSR0B = 1 << TXEN0;
    while (!(UCSR0A & 1 << UDRE0)) {
    }
    UDR0 = static_cast<uint8_t>(byte);
}

/* To sleep without interrupts ends the simulator. */
static void end()
{
    cli();
    sleep_enable();
    sleep_cpu();
}
#else
#include <stdio.h>

static void put(char byte)
{
    putchar(byte);
}

static void end() {}
#endif

Printer Serial;

void Printer::print(const char *text)
{
    for (; *text; text++) put(*text);
}

void Printer::println(const char *text)
{
    print(text);
    put('\n');
}

void Printer::print(int number)
{
    if (number < 0) put('-');
    const unsigned rest =
        number < 0 ? 0u - static_cast<unsigned>(number) : static_cast<unsigned>(number);
    if (rest >= 10) print(static_cast<int>(rest / 10));
    put(static_cast<char>('0' + rest % 10));
}

int main()
{
    setup();
    loop();
    end();
}
