"""Shares of groups and topics over time."""
