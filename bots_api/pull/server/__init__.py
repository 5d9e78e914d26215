"""The server that programs call: streams, long polls and answers, with no worker and no connection for who waits."""
