# Compiler and emulator of MACHINE, a name below.
# The compiler is not gcc for Linux: Debian's for other processors cannot be installed beside gcc-multilib.
# SPDX-License-Identifier: MIT
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MACHINE)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR ${MACHINE})
set(undefined "-fsanitize=undefined -fsanitize-trap=undefined") # ends a program; an unaligned access does, too

function(linux triple emulator)
  set(CMAKE_SYSTEM_NAME Linux PARENT_SCOPE)
  set(CMAKE_C_COMPILER clang PARENT_SCOPE)
  set(CMAKE_C_COMPILER_TARGET ${triple} PARENT_SCOPE)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${emulator} PARENT_SCOPE)
endfunction()

# A board of qemu, where its largest memory lies. int32_t is a long there, which printf minds and the processor
# does not; Debian's newlib prints 64 bits and does not say so.
function(cortex_m board ram flags)
  set(CMAKE_C_COMPILER arm-none-eabi-gcc PARENT_SCOPE)
  set(CMAKE_C_FLAGS_INIT "-ffunction-sections -mthumb -Wno-format -DPRId64='\"lld\"' -DPRIu64='\"llu\"' ${flags}"
      PARENT_SCOPE)
  set(CMAKE_EXE_LINKER_FLAGS_INIT "--specs=rdimon.specs -nostartfiles -Wl,--gc-sections -Wl,--defsym=ram=${ram} \
-Wl,-T,${CMAKE_CURRENT_LIST_DIR}/cortex_m.ld" PARENT_SCOPE)
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-system-arm -M ${board} -display none -monitor none -serial none PARENT_SCOPE)
endfunction()

if(MACHINE STREQUAL "x86-32") # gcc-multilib brings this one folder of headers, and excludes the cross compilers
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_C_COMPILER gcc)
  set(undefined "-fsanitize=undefined -fsanitize-undefined-trap-on-error")
  set(CMAKE_C_FLAGS_INIT "-m32 -Wno-psabi -idirafter /usr/include/x86_64-linux-gnu ${undefined}")
elseif(MACHINE STREQUAL "armv7")
  linux(arm-linux-gnueabihf qemu-arm)
  set(CMAKE_C_FLAGS_INIT "${undefined}")
elseif(MACHINE STREQUAL "s390x") # big-endian
  linux(s390x-linux-gnu qemu-s390x)
  set(CMAKE_C_FLAGS_INIT "${undefined}")
elseif(MACHINE STREQUAL "aarch64")
  linux(aarch64-linux-gnu qemu-aarch64)
  set(CMAKE_C_FLAGS_INIT "${undefined}")
elseif(MACHINE MATCHES "^x86-64-(.*)") # processors of several ages; the emulator knows none with AVX-512
  linux(x86_64-linux-gnu "qemu-x86_64;-cpu;${CMAKE_MATCH_1}")
elseif(MACHINE STREQUAL "cortex-m3") # an unaligned access faults, as on processors that know no other
  cortex_m(mps2-an385 0x21000000 "-mcpu=cortex-m3 -mno-unaligned-access -DTRAP_UNALIGNED")
elseif(MACHINE STREQUAL "cortex-m4")
  cortex_m(mps2-an386 0x21000000 "-mcpu=cortex-m4 -mfloat-abi=hard")
elseif(MACHINE STREQUAL "cortex-m7")
  cortex_m(mps2-an500 0x60000000 "-mcpu=cortex-m7 -mfloat-abi=hard")
elseif(MACHINE STREQUAL "cortex-m55")
  cortex_m(mps3-an547 0x70000000 "-mcpu=cortex-m55 -mfloat-abi=hard")
elseif(MACHINE STREQUAL "riscv32") # as cheap microcontrollers have it: no floating point, no atomics
  set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
  set(CMAKE_C_FLAGS_INIT "-ffunction-sections -march=rv32imc -mabi=ilp32 --specs=picolibc.specs -Wno-format")
  set(CMAKE_EXE_LINKER_FLAGS_INIT "--crt0=semihost --oslib=semihost -Wl,--gc-sections -Wl,--defsym=__flash=0x80000000 \
-Wl,--defsym=__flash_size=0x400000 -Wl,--defsym=__ram=0x80400000 -Wl,--defsym=__ram_size=0x1000000 \
-Wl,--defsym=__stack_size=0x100000")
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-system-riscv32 -M virt -bios none -m 64M -display none -monitor none
      -serial none)
elseif(MACHINE STREQUAL "riscv64") # these two without a C library: their programs are not linked
  set(CMAKE_C_COMPILER clang)
  set(CMAKE_C_COMPILER_TARGET riscv64-unknown-elf)
  set(CMAKE_C_FLAGS_INIT "-march=rv64gc -mabi=lp64d")
elseif(MACHINE STREQUAL "arc-hs")
  set(CMAKE_C_COMPILER arc-linux-gnu-gcc)
  set(CMAKE_C_FLAGS_INIT "-mcpu=hs38")
else()
  message(FATAL_ERROR "MACHINE is ${MACHINE}, and no machine of this file")
endif()
