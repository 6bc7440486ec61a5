//! Ask Slurm about nodes and jobs by argument vector, read the answers, drain and resume.
