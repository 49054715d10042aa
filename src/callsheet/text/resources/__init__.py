"""Tables the script wing ships: word lists, verb patterns, training sentences, weights."""
