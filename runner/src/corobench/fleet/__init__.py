"""Campaigns: the same runs on many boxes, on a queue that exists already.

A job is a whole run on one box. The queue (an engine) is a hint; what the collector holds is the
truth, so a campaign can be asked for again at any moment and nothing is measured twice.
"""
