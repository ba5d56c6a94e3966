"""Speed, memory and accuracy against peers; each file is one benchmark."""
