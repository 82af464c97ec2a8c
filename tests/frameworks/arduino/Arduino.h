/* What a sketch needs of Arduino's core.  SPDX-License-Identifier: MIT */
#ifndef ARDUINO_H
#define ARDUINO_H

#include <stddef.h>
#include <stdint.h>

struct Printer {
    void begin(long) {}
    void print(int number);
    void print(const char *text);
    void println(const char *text);
};

extern Printer Serial;
void setup();
void loop();

#endif
