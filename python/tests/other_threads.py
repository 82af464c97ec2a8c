"""Whether other threads run while a call of ours works: it must not hold the GIL then."""

import sys
import threading
import time


def run_meanwhile(call):
    """True if another thread makes progress during the call, which is repeated at most 50 times."""
    ticks, done, progressed = [], threading.Event(), False

    def tick():
        while not done.is_set():
            ticks.append(None)
            time.sleep(0.0005)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # seconds: nobody hands over the GIL unless he gives it up
    thread = threading.Thread(target=tick)
    try:
        thread.start()
        time.sleep(0.01)
        before = len(ticks)
        for _ in range(50):  # a busy machine may not let the other thread run in the first calls
            call()
            progressed = len(ticks) - before > 1
            if progressed:
                break
    finally:
        done.set()
        sys.setswitchinterval(interval)
        thread.join()
    return progressed
