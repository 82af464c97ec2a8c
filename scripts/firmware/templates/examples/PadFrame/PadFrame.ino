// Pads a small camera frame of int8 with its zero point, and prints the rows.
#include <tensorpad.h>

static const int8_t frame[3][4] = {{11, 12, 13, 14}, {21, 22, 23, 24}, {31, 32, 33, 34}};
static int8_t padded[5][6];
static tpad_plan plan;

void setup() {
  Serial.begin(115200);
  tpad_axis axes[2] = {};
  for (int i = 0; i < 2; i++) {
    axes[i].in_extent = i == 0 ? 3 : 4;
    axes[i].before = axes[i].after = 1;
    axes[i].mode = TPAD_CONSTANT;
  }
  const tpad_problem problem = TPAD_PROBLEM_OF(int8_t, axes);
  if (tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK) {
    Serial.println("this build cannot pad so");
    return;
  }
  const int8_t zero_point = -1;
  tpad_run(&plan, frame, padded, &zero_point);  // for each frame
  for (int row = 0; row < 5; row++) {
    for (int column = 0; column < 6; column++) {
      Serial.print(padded[row][column]);
      Serial.print(column < 5 ? " " : "\n");
    }
  }
}

void loop() {}
