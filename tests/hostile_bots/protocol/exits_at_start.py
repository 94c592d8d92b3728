import sys

sys.exit("no bot today")
