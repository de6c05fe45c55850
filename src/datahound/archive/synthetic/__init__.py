"""Websites made by rule from a seed: any size, nothing stored."""
