"""Which tests are not in a quick run, besides those that say so (../../conftest.py).

SPDX-License-Identifier: MIT
"""

import pytest

# They start processes that import large packages, or draw many problems.
LONG = """
test_random_overlaps test_the_picture_of_the_graphs test_an_accessor_of_somebody_else_is_named
test_dask_in_the_mode_of_expressions_is_refused test_tasks_of_dask_start_no_threads
test_what_was_chosen_holds_in_a_worker_of_torch test_memory_is_the_most_that_is_used
test_only_workers_of_torch_among_the_children_follow_it test_many_processes_at_once
test_a_worker_that_is_spawned_takes_the_number_of_its_environment test_numpys_own_tests
test_a_killed_process_is_not_in_the_way test_a_second_process_is_refused test_what_cannot_be_compared
test_a_runtime_that_dies_hangs_or_takes_all_memory test_what_lower_makes_is_run_too
test_openvino_takes_a_pad_into_auto_pad_where_sizes_are_open test_layouts_and_large_arrays
test_what_pages_install_is_there test_the_workflow_with_a_wheel test_nothing_leaks_in_100000_calls
test_the_report_waits_for_a_child_that_the_program_does_not_join
test_pictures_show_the_fields_of_the_page
""".split()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if item.originalname in LONG:
            item.add_marker("long")
