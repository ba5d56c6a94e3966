from psif.evaluation.runner.progress import Job, Progress
from psif.evaluation.tasks import TASKS

JOBS = [Job(TASKS["r8"], name, "inductive") for name in ("sif", "psif", "tfidf", "bow")]


def test_a_single_job_needs_no_count():
    assert Progress(JOBS[:1]).note() == ""


def test_jobs_are_counted():
    progress = Progress(JOBS)
    assert progress.note() == "[1 of 4] "
    assert progress.done(JOBS[0], 5.0) == "[1 of 4] "
    assert progress.note() == "[2 of 4] "


def test_the_rest_is_stretched_as_what_is_done_was():
    expected = {"sif": 60.0, "psif": 120.0, "tfidf": 600.0, "bow": 600.0}
    progress = Progress(JOBS, lambda job: expected[job.method])
    assert progress.note() == "[1 of 4, about 23 min left] "
    # Known already: it says nothing of the speed of the machine.
    progress.skip(JOBS[0])
    assert progress.note() == "[2 of 4, about 22 min left] "
    # Twice as slow as expected, of which a doubt of one minute remains: (240 + 60) / (120 + 60).
    progress.done(JOBS[1], 240.0)
    assert progress.note() == "[3 of 4, about 33 min left] "
    assert str(JOBS[0]) == "r8, sif, inductive"
