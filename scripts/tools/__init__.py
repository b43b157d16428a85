# SPDX-License-Identifier: GPL-2.0-only
"""Machinery of the scripts in the folder above."""
