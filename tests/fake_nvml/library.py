"""Builds the fake NVML library and writes the properties that it plays."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

SOURCE = Path(__file__).with_name("fake_nvml.c")
SONAME = "libnvidia-ml.so.1"
GIB = 1024**3
MIB = 1024**2


def build(folder: Path, without: Iterable[str] = ()) -> Path:
    """Compile the library into a folder; `without` names the symbols an old driver lacks."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "symbols.map"
    hidden = "".join(f"{name};" for name in without)
    script.write_text(f"{{ global: nvml*; local: {hidden} *; }};\n")
    subprocess.run(
        [
            "cc", "-O1", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-shared", "-fPIC",
            f"-Wl,-soname,{SONAME}", f"-Wl,--version-script,{script}",
            "-o", str(folder / SONAME), str(SOURCE),
        ],
        check=True,
    )  # fmt: skip
    return folder / SONAME


class FakeNode:
    """The properties of a node's cards; each change is written at once."""

    def __init__(self, path: Path):
        self.path = path
        self.samples = path.with_suffix(".samples")
        self.properties: dict[str, object] = {"driver": "595.71.05", "cards": 0}
        self.write()

    def environment(self, library: Path) -> dict[str, str]:
        """What a process needs to load the library and to play this node."""
        return {
            "LD_LIBRARY_PATH": str(library.parent),
            "FAKE_NVML_STATE": str(self.path),
            "FAKE_NVML_SAMPLES": str(self.samples),
        }

    def change(self, properties: dict[str, object]):
        self.properties |= properties
        self.write()

    def unset(self, *names: str):
        for name in names:
            del self.properties[name]
        self.write()

    def write(self):
        lines = [f"{name} {value}\n" for name, value in self.properties.items()]
        draft = self.path.with_suffix(".draft")
        draft.write_text("".join(lines))
        draft.replace(self.path)

    def add_hopper(self):
        """Add a busy card that has everything."""
        card = self._add("NVIDIA H100 80GB HBM3", 9)
        gpm = {2: 62.5, 5: 35, 10: 40, 20: 100, 21: 50, 60: 1000, 61: 500}
        self.change(
            {f"{card}.gpm": 1, f"{card}.mig": 0}
            | {f"{card}.gpm.{number}": value for number, value in gpm.items()}
        )
        return card

    def add_ampere(self):
        """Add a busy card without a performance monitor."""
        card = self._add("NVIDIA A40", 7)
        self.change({f"{card}.field.{number}": 0 for number in (197, 198, 138, 139)})
        return card

    def _add(self, name: str, architecture: int):
        number = int(str(self.properties["cards"]))
        card = f"card{number}"
        values = {
            "uuid": f"GPU-{number:08d}-0000-0000-0000-000000000000",
            "name": name,
            "arch": architecture,
            "util": 80,
            "encoder": 0,
            "decoder": 10,
            "memory.total": 80 * GIB,
            "memory.used": 20 * GIB,
            "memory.reserved": GIB,
            "power": 350_000,
            "limit": 700_000,
            "energy": 1_000_000,
            "temperature": 55,
            "clock": 1755,
            "reasons": 0,
            "ecc.corrected": 2,
            "ecc.uncorrected": 0,
            "rows.correctable": 1,
            "processes": f"{4000 + number}:{GIB}",
        }
        self.change({"cards": number + 1} | {f"{card}.{key}": item for key, item in values.items()})
        return card

    def cut(self, card: str, *profiles: str):
        """Turn MIG on and cut instances; their GPU instance ids begin at 7."""
        self.change({f"{card}.mig": 1})
        for number, profile in enumerate(profiles):
            name = f"{card}.mig{number}"
            self.change(
                {
                    f"{name}.uuid": f"MIG-{number}-{self.properties[f'{card}.uuid']}",
                    f"{name}.name": f"{self.properties[f'{card}.name']} MIG {profile}",
                    f"{name}.gi": 7 + number,
                    f"{name}.memory.total": 10 * GIB,
                    f"{name}.memory.used": GIB,
                    f"{name}.gpm.1": 90,
                    f"{name}.gpm.2": 50,
                    f"{name}.gpm.5": 20,
                    f"{name}.gpm.10": 10,
                }
            )
