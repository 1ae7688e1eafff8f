"""Certificates made on the spot by openssl: an authority, and what it signs."""

import subprocess
from pathlib import Path

from tests.components import require


class Authority:
    """A certificate authority in a folder of its own."""

    def __init__(self, folder: Path, name: str = "authority"):
        require("openssl")
        self.folder = folder
        self.certificate = folder / f"{name}.pem"
        self.key = folder / f"{name}.key"
        _openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-nodes", "-days", "2", "-subj", f"/CN={name}", "-keyout", self.key,
            "-out", self.certificate,
        )  # fmt: skip

    def sign(self, name: str, san: str) -> tuple[Path, Path]:
        """Return a certificate with a subject alternative name, and its key."""
        certificate, key = self.folder / f"{name}.pem", self.folder / f"{name}.key"
        request, extension = self.folder / f"{name}.csr", self.folder / f"{name}.ext"
        extension.write_text(f"subjectAltName={san}\n")
        _openssl(
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-nodes", "-subj", f"/CN={name}", "-keyout", key, "-out", request,
        )  # fmt: skip
        _openssl(
            "x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key,
            "-CAcreateserial", "-days", "2", "-extfile", extension, "-out", certificate,
        )  # fmt: skip
        return certificate, key


def _openssl(*words: object) -> None:
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)
