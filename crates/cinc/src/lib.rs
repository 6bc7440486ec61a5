//! The solo configuration of a Cinc or Chef client, read without a shell.
