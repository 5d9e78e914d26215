"""An authority of the tests' own, and programs' certificates that it signed."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


class Authority:
    """`trusting` is for whoever calls, `server` for the program that is called by that name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An authority of nobody's")])
        self._certificate = self._signed(self._name, self._key.public_key(), None)

    def trusting(self) -> ssl.SSLContext:
        return ssl.create_default_context(cadata=_pem(self._certificate).decode())

    def server(self, name: str) -> ssl.SSLContext:
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        path = self._folder / f"{name}.pem"
        path.write_bytes(_pem(self._signed(subject, key.public_key(), name)) + _private(key))
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(path)
        return context

    def _signed(self, subject: x509.Name, key: ec.EllipticCurvePublicKey, name: str | None) -> x509.Certificate:
        """For that host name, or for the authority itself."""
        now = datetime.now(UTC)
        wanted = x509.CertificateBuilder().subject_name(subject).issuer_name(self._name).public_key(key)
        wanted = (
            wanted.serial_number(x509.random_serial_number()).not_valid_before(now - DAY).not_valid_after(now + DAY)
        )
        wanted = wanted.add_extension(x509.BasicConstraints(ca=name is None, path_length=None), critical=True)
        if name is not None:
            wanted = wanted.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        return wanted.sign(self._key, hashes.SHA256())


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
