// The trace's line.
#pragma once

void write_trace(void);
