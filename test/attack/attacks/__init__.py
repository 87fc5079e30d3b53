"""All attacks, in the order in which they are listed."""

from attack.attacks.modules import Modules
from attack.attacks.programs import Programs

ALL = [Modules, Programs]
