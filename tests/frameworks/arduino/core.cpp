/* The program around a sketch.  SPDX-License-Identifier: MIT */
#include "Arduino.h"

Printer Serial;

int main()
{
    setup();
    loop();
}
