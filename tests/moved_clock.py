"""The clocks of a fleet's worker, moved by a test."""

from datahound.fleet.sessions import Moment


class MovedClock:
    """A clock that a test moves."""

    def __init__(self, wall=1e9):
        self.steady, self.wall = 100.0, wall

    def __call__(self):
        return Moment(self.steady, self.wall)

    def pass_time(self, seconds):
        self.steady += seconds
        self.wall += seconds
