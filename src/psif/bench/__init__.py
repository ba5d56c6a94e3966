"""Speed, memory and accuracy beside the packages that a user could pick instead.

Every measurement runs in a fresh process on the same documents and cores, within one run, and is
reported as a ratio between methods: seconds belong to a machine, ratios travel.
"""
