"""A job's own signal lead, from its command line or its script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.platforms.slurm.records.lead import LONGEST, lead


@pytest.mark.parametrize(
    ("line", "script", "seconds"),
    [
        ("sbatch train.sh", "#!/bin/bash\n#SBATCH --signal=B:USR1@120\ntrain", 120),
        ("sbatch train.sh", "#!/bin/bash\n#SBATCH -N1 --signal=R:15@300 # save\ntrain", 300),
        ("sbatch train.sh", '#!/bin/bash\n\n# mine\n#SBATCH --signal "USR2"\n', 60),
        ("sbatch --signal=USR1@90 train.sh", "#SBATCH --signal=USR1@300\n", 90),
        ("sbatch --signal USR1@90 train.sh", "", 90),
        ("srun --signal=INT bash", "", 60),
        ("sbatch train.sh", "#SBATCH --signal=USR1@65000\n", LONGEST),
        ("sbatch train.sh", "#!/bin/bash\ntrain\n#SBATCH --signal=USR1@300\n", 0),
        ("sbatch train.sh", "##SBATCH --signal=USR1@300\n", 0),
        ("sbatch train.sh", "#SBATCH --signal='USR1@300\n", 300),
        ("sbatch train.sh", "#SBATCH --signalling=USR1@300\n", 0),
        ("sbatch train.sh", "#SBATCH --signal=@\n", 0),
        ("", "", 0),
    ],
)
def test_the_lead_is_read_as_slurm_reads_it(line, script, seconds):
    assert lead(line, script) == seconds


@given(st.text(), st.text())
def test_any_text_gives_a_bounded_lead(line, script):
    assert 0 <= lead(line, f"#SBATCH {script}") <= LONGEST
