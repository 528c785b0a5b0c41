"""The referee as a service of a Raspberry Pi or any other Linux with systemd.

`plan` says what an installation consists of, `steps` carries that out, and undoes it.
"""
