/* What a sketch needs of Arduino's core, on this machine.  SPDX-License-Identifier: MIT */
#ifndef ARDUINO_H
#define ARDUINO_H

#include <cstdio>

struct Printer {
    void begin(long) {}
    void print(int number) { std::printf("%d", number); }
    void print(const char *text) { std::printf("%s", text); }
    void println(const char *text) { std::printf("%s\n", text); }
};

extern Printer Serial;
void setup();
void loop();

#endif
