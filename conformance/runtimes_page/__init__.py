"""The page of runtimes: what kinds of cases there are, what is wrong in which runtime, text and picture."""
