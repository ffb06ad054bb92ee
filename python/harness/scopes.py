"""What the children of scopes share, of which one fails and the others are cancelled."""

from collections.abc import Iterable
from typing import Any, Generic, Protocol, TypeVar


class Event(Protocol):
    """What a task sets, and others wait for in the way of their runtime."""

    def set(self) -> Any: ...


Told = TypeVar("Told", bound=Event)


class Waiting(Generic[Told]):
    """How many children are still to wait, and the event that tells when none is."""

    def __init__(self, children: int, told: Told) -> None:
        self.missing = children
        self.all = told

    def arrive(self) -> None:
        self.missing -= 1
        if self.missing == 0:
            self.all.set()


class Failure(Exception):
    """Carries the value by which the one who catches it knows it."""

    def __init__(self, value: int) -> None:
        super().__init__(value)
        self.value = value


class Scopes:
    """What has become of all children, scope after scope."""

    __slots__ = ("cancelled", "checksum", "cleaned", "created", "failed")

    def __init__(self) -> None:
        self.created = self.cancelled = self.cleaned = self.failed = self.checksum = 0

    def catch(self, failures: Iterable[BaseException]) -> None:
        """What the root has caught of one scope."""
        for failure in failures:
            if not isinstance(failure, Failure):
                raise failure
            self.failed += 1
            self.checksum += failure.value

    def evidence(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in self.__slots__} | {"ops": self.cleaned + self.failed}
