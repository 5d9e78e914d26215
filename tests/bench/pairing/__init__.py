"""How long draws and standings take, and how that grows with the field; beside other libraries where there are any."""
