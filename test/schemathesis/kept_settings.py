"""
Keeps the merged settings of each operation and phase, which do not change during a run. hooks.py loads this module.

schemathesis 4.30.1 merges them again for each request it generates. It keeps the strategies that it builds from schemas by the
identity of these settings, so it also built many of them again. That took a third of its time.
"""

from schemathesis.config import ProjectConfig

merge = ProjectConfig.generation_for
kept = {}


def generation_for(self, *, operation=None, phase=None):
    key = (operation and operation.label, phase)
    if key not in kept:
        kept[key] = merge(self, operation=operation, phase=phase)
    return kept[key]


ProjectConfig.generation_for = generation_for
