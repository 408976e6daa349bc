"""The exams. Their names stand here, and not with the lessons', since no student's edition is to have them."""

EXAMS = [
    "x00_running_maximum",
    "x01_segment_mean",
    "x02_scaled_cosine",
    "x03_sliding_window",
    "x04_head_norm",
    "x05_sigmoid_gelu",
    "x06_parallel_block",
    "x07_label_smoothing",
]
