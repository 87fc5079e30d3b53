"""All attacks, in the order in which they are listed."""

from attack.attacks.artifacts import Artifacts
from attack.attacks.chains import Chains
from attack.attacks.collectives import Collectives
from attack.attacks.databases import Databases
from attack.attacks.disks import Disks
from attack.attacks.fuzzers import Fuzzers
from attack.attacks.interrupts import Interrupts
from attack.attacks.modules import Modules
from attack.attacks.outsiders import Outsiders
from attack.attacks.programs import Programs
from attack.attacks.scalars import Scalars

ALL = [
    Modules,
    Scalars,
    Programs,
    Chains,
    Collectives,
    Outsiders,
    Artifacts,
    Databases,
    Disks,
    Interrupts,
    Fuzzers,
]
