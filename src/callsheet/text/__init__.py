"""The script wing: screenplays and subtitles in, evidence out."""
