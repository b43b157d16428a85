# SPDX-License-Identifier: GPL-2.0-only
"""The machinery of the scripts in the parent folder."""
