// SPDX-License-Identifier: Apache-2.0
// Selects the first port at or after `start` (one-hot), otherwise the lowest port: so deterministic algorithms replace a port
// that is down.  For modules with a localparam K.  Twin: ut_mask_first_from in csim/switch/mask.h
function [K-1:0] first_from;
  input [K-1:0] ports, start;
  reg [K-1:0] behind, from;
  begin
    behind = ports & ~(start - {{K - 1{1'b0}}, 1'b1});
    from = |behind ? behind : ports;
    first_from = from & (~from + {{K - 1{1'b0}}, 1'b1});
  end
endfunction
