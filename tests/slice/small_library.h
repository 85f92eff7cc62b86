/* SPDX-License-Identifier: Apache-2.0 */
/* small_library.h - cells for tests of netlists: what can run in lanes, and what cannot. */
#ifndef UT_SMALL_LIBRARY_H
#define UT_SMALL_LIBRARY_H

static const char small_library[] =
    "library (small) {\n"
    "cell (NAND) { area : 1; pin (A) { direction : input; } pin (B) { direction : input; }\n"
    "pin (Y) { direction : output; function : \"(!(A B))\"; timing () { } } }\n"
    "cell (INV) { area : 1; pin (A) { direction : input; }\n"
    "pin (Y) { direction : output; function : \"A'\"; timing () { } } }\n"
    "cell (XOR) { area : 1; pin (A) { direction : input; } pin (B) { direction : input; }\n"
    "pin (Y) { direction : output; function : \"(A^B)\"; timing () { } } }\n"
    "cell (MUX) { area : 1; pin (A) { direction : input; } pin (B) { direction : input; } pin (S) { direction : input; "
    "}\n"
    "pin (Y) { direction : output; function : \"(!((S A) + (!S B)))\"; timing () { } } }\n"
    "cell (AOI) { area : 1; pin (A) { direction : input; } pin (B) { direction : input; } pin (C) { direction : input; "
    "} pin (D) { direction : input; }\n"
    "pin (Y) { direction : output; function : \"!((A & B) | (C * D))\"; timing () { } } }\n"
    "cell (DFF) { area : 1; ff (IQ, IQN) { next_state : \"D\"; clocked_on : \"C\"; }\n"
    "pin (C) { direction : input; } pin (D) { direction : input; } pin (Q) { direction : output; function : \"IQ\"; "
    "timing () { } } }\n"
    "cell (DFFN) { area : 1; ff (IQ, IQN) { next_state : \"(D E) + (IQ !E)\"; clocked_on : \"C\"; }\n"
    "pin (C) { direction : input; } pin (D) { direction : input; } pin (E) { direction : input; } pin (QN) { direction "
    ": output; function : \"IQN\"; timing () { } } }\n"
    "cell (DFFR) { area : 1; ff (IQ, IQN) { next_state : \"D\"; clocked_on : \"C\"; clear : \"R\"; }\n"
    "pin (C) { direction : input; } pin (D) { direction : input; } pin (R) { direction : input; } pin (Q) { direction "
    ": output; function : \"IQ\"; timing () { } } }\n"
    "cell (DFFF) { area : 1; ff (IQ, IQN) { next_state : \"D\"; clocked_on : \"!C\"; }\n"
    "pin (C) { direction : input; } pin (D) { direction : input; } pin (Q) { direction : output; function : \"IQ\"; "
    "timing () { } } }\n"
    "cell (LATCH) { area : 1; latch (IQ, IQN) { enable : \"C\"; data_in : \"D\"; }\n"
    "pin (C) { direction : input; } pin (D) { direction : input; } pin (Q) { direction : output; function : \"IQ\"; "
    "timing () { } } }\n"
    "cell (TRI) { area : 1; pin (A) { direction : input; } pin (B) { direction : input; }\n"
    "pin (Y) { direction : output; function : \"A\"; three_state : \"!B\"; } }\n"
    "cell (UT_MEMORY) { area : 1; memory () { type : ram; } pin (C) { direction : input; } pin (EN) { direction : "
    "input; } "
    "pin (D) { direction : input; } pin (Q) { direction : output; } }\n"
    "cell (DUMB) { area : 1; pin (A) { direction : input; }\n"
    "pin (Y) { direction : output; } }\n"
    "cell (ODD) { area : 1; pin (A) { direction : input; }\n"
    "pin (Y) { direction : output; function : \"A + C\"; timing () { } } }\n"
    "}\n";

#endif
