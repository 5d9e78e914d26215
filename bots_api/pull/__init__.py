"""Programs that call us (protocol §6): the mailbox between the lanes and the servers that programs call."""
