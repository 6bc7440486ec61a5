# Evaluates expressions with ClusterShell, one a line. Lines on standard input, fields by tabs:
#   group SOURCE NAME TEXT   a group; the first source is the default one, NAME * is all nodes
#   set TEXT                 an expression to be answered
# Answers, one a line: "version V" first, then "set FOLDED NAME..." or "refused REASON".
import sys

import ClusterShell
from ClusterShell.NodeSet import NodeSet
from ClusterShell.NodeUtils import GroupResolver, GroupSource

sources = {}
resolver = None
print("version", ClusterShell.__version__, sep="\t")
for line in sys.stdin:
    kind, *fields = line.rstrip("\n").split("\t")
    if kind == "group":
        source, name, text = fields
        source = sources.setdefault(source, GroupSource(source, {}))
        if name == "*":
            source.allgroups = text
        else:
            source.groups[name] = text
        continue
    if resolver is None:
        default, *others = sources.values()
        resolver = GroupResolver(default)
        for other in others:
            resolver.add_source(other)
    try:
        answer = NodeSet(fields[0], resolver=resolver)
        print("set", answer, *answer, sep="\t")
    except Exception as error:
        print("refused", type(error).__name__, sep="\t")
