"""A tournament in other people's forms: tables for spreadsheets, TRF for pairing programs, one whole document."""
