"""What the counts say, for people and as JSON.  SPDX-License-Identifier: MIT"""
import json
import os
import sys

import tensorpad

from .._whole_files import write_whole
from ._tally import (BOTH, BYTES, CALLS, COMPARED, DIFFERENT, FIELDS, MOST_SHAPES, NUMPY_WORK,
                     RAISED, TIME, WORK)

SHOWN = 10  # places in the report for people; JSON has all


def write(read, program, seconds, options):
    """read: what Tally.read gives. To the file, or to stderr; the program's end is not disturbed
    by an error here, which is one line."""
    facts = _facts(*read, program, seconds, options)
    text = json.dumps(facts, indent=1) + "\n" if options.json else _text(facts)
    try:
        if options.file is None:
            sys.__stderr__.write(text)
            sys.__stderr__.flush()
        else:
            write_whole(options.file, text.encode())
    except (OSError, ValueError, AttributeError) as error:
        if options.file is not None:
            print(f"tensorpad.dropin: cannot write the report {options.file}: {error}",
                  file=sys.stderr)


# ---- Facts ---------------------------------------------------------------------------------------


def _facts(processes, places, program, seconds, options):
    own = [place for place in places if place["key"][3] is None]
    total = [sum(column) for column in zip(*(place["counts"] for place in own))] or [0] * FIELDS
    sites = [_site(place, total) for place in own]
    sites.sort(key=lambda site: -site["tensorpad_seconds"])
    left_to = {}
    for place in places:
        if place["key"][3] is not None:
            name = place["key"][3]
            left_to[name] = left_to.get(name, 0) + place["counts"][CALLS]
    exact = total[BOTH] == total[CALLS]
    known = total[BOTH] > 0
    return {
        "tensorpad": tensorpad.__version__,
        "program": program,
        "seconds": seconds,
        "processes": processes,
        "calls": total[CALLS],
        "bytes": total[BYTES],
        "raised": total[RAISED],
        "tensorpad_seconds": total[TIME] / 1e9,
        "numpy_seconds": sum(site["numpy_seconds"] for site in sites) if known else None,
        "numpy_seconds_are": None if not known else "measured" if exact else "estimated",
        "timed_with_both": total[BOTH],
        "compared": total[COMPARED],
        "different": total[DIFFERENT],
        "verify": options.verify,
        "left_to_their_type": left_to,
        "sites": sites,
    }


def _site(place, total):
    counts = place["counts"]
    file, line, mode, _ = place["key"]
    return {
        "file": file, "line": line, "function": place["function"], "mode": mode,
        "calls": counts[CALLS], "bytes": counts[BYTES], "raised": counts[RAISED],
        "tensorpad_seconds": counts[TIME] / 1e9,
        "numpy_seconds": _numpy_time(counts, total) / 1e9,
        "timed_with_both": counts[BOTH],
        "compared": counts[COMPARED], "different": counts[DIFFERENT],
        "shapes": [dict(zip(("from", "to", "dtype"), shape)) for shape in place["shapes"]],
        "differences": place["differences"],
    }


def _numpy_time(counts, total):
    """tensorpad's time, times how much longer NumPy works: in the calls that ran with both here,
    or anywhere if none here did."""
    sample = counts if counts[WORK] else total
    return counts[TIME] * sample[NUMPY_WORK] / sample[WORK] if sample[WORK] else counts[TIME]


# ---- Text ----------------------------------------------------------------------------------------


def _time(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            break
    return f"{seconds / size:.3g} {unit}" if seconds < 1000 else f"{seconds:,.0f} s"


def _size(count):
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} bytes"


def _count(number, word):
    return f"{number:,} {word}" + "s" * (number != 1)


def _text(facts):
    lines = [f"tensorpad.dropin: numpy.pad was tensorpad.pad; {facts['program']} ran "
             f"{_time(facts['seconds'])}"]
    if not facts["calls"]:
        lines.append("calls        none")
    else:
        lines += [f"calls        {_calls(facts)}", f"time in pad  {_times(facts)}",
                  f"differences  {_differences(facts)}"]
    for name, calls in facts["left_to_their_type"].items():
        lines.append(f"left alone   {_count(calls, 'call')} with {name}, which pads in its own way")
    lines += _table(facts)
    return "".join(line + "\n" for line in lines)


def _calls(facts):
    said = f"{facts['calls']:,} at {_count(len(facts['sites']), 'place')}"
    if facts["processes"] > 1:
        said += f" in {facts['processes']} processes"
    said += f", {_size(facts['bytes'])} of results"
    return said + (f"; {facts['raised']:,} raised an error" if facts["raised"] else "")


def _times(facts):
    said = f"{_time(facts['tensorpad_seconds'])} with tensorpad, "
    if facts["numpy_seconds"] is None:
        return said + "not known with NumPy (--sample or --verify measures it)"
    both = facts["timed_with_both"]
    if facts["numpy_seconds_are"] == "measured":
        return said + f"{_time(facts['numpy_seconds'])} with NumPy (measured)"
    return said + (f"about {_time(facts['numpy_seconds'])} with NumPy (estimated from "
                   f"{_count(both, 'call')} that ran with both)")


def _differences(facts):
    if not facts["verify"]:
        return "not looked for: --verify compares each call with NumPy's"
    said = f"{facts['different']:,}" if facts["different"] else "none"
    said += f" in {_count(facts['compared'], 'call')} compared"
    others = facts["calls"] - facts["compared"]
    return said + (f"; {others:,} with a function as mode, which NumPy runs, were not"
                   if others else "")


def _table(facts):
    sites = facts["sites"]
    if not sites:
        return []
    about = "~" if facts["numpy_seconds_are"] == "estimated" else ""
    known = facts["numpy_seconds"] is not None
    lines = ["", f"{'tensorpad':>10} {'NumPy':>10} {'calls':>9}  slowest places"]
    for site in sites[:SHOWN]:
        before = about + _time(site["numpy_seconds"]) if known else "-"
        lines.append(f"{_time(site['tensorpad_seconds']):>10} {before:>10} {site['calls']:>9,}  "
                     f"{_place(site)}")
        lines.append(f"{'':33}{site['mode']}{_shapes(site)}")
    if len(sites) > SHOWN:
        lines.append(f"{'':33}and {_count(len(sites) - SHOWN, 'other place')}: --json has all")
    for site in sites:
        for text in site["differences"]:
            lines += ["", f"different at {_place(site)}, {site['mode']}:", f"    {text}"]
        hidden = site["different"] - len(site["differences"])
        if hidden:
            lines.append(f"    and {_count(hidden, 'other difference')} here")
    return lines


def _place(site):
    if not site["line"]:
        return "all other places"
    return f"{_shorter(site['file'])}:{site['line']} {site['function']}"


def _shorter(file):
    """A file below a folder of sys.path or below the working directory, from there on."""
    folders = [folder for folder in {*sys.path, os.getcwd()}
               if folder and file.startswith(os.path.join(folder, ""))]
    return file[len(os.path.join(max(folders, key=len), "")):] if folders else file


def _shapes(site):
    if not site["shapes"]:
        return ""
    first = site["shapes"][0]
    said = f" {tuple(first['from'])} -> {tuple(first['to'])} {first['dtype']}"
    others = len(site["shapes"]) - 1
    if others == MOST_SHAPES - 1:
        return said + f" and at least {others} other shapes"
    return said + (f" and {_count(others, 'other shape')}" if others else "")
