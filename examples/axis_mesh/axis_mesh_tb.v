// SPDX-License-Identifier: Apache-2.0
// axis_mesh_tb - frames of a file through axis_mesh; for Icarus and Verilator (run, beside this file).
//
// +frames=FILE: lines `cycle src dst flits`, the form of a trace (docs/reference/traffic.md): the frame has a beat less than flits.
// +stall=N: each terminal is ready to receive in N of 8 cycles only, and to send too; default 8.
// +cut=C: in cycle C the link between (0,0) and (1,0) goes down, 20 cycles later it comes back.
// Prints a line a frame, `source,sequence,destination,flits,injected_cycle,end_cycle,result`, as ./uturn run --packets tells
// of a packet; ends with status 1 if a frame is lost without a reason, changed, twice there or too late.
`default_nettype none
`timescale 1ns / 1ps
module axis_mesh_tb;
  parameter SIZE0 = 2, SIZE1 = 2, V = 1, DEPTH = 8, W = 64, MAX_PACKET = 5, SWITCHING = 0;
  localparam N = SIZE0 * SIZE1;
  localparam MOST = 4096;  // frames

  reg clk = 0, rst = 1;
  reg [2*N-1:0] up = {2 * N{1'b1}};
  reg [N-1:0] s_valid = 0, s_last = 0, m_ready = 0;
  reg [N*W-1:0] s_data = 0;
  reg [N*16-1:0] s_dest = 0;
  wire [N-1:0] s_ready, m_valid, m_last, m_user, discard;
  wire [N*W-1:0] m_data;
  wire [N*16-1:0] m_id;
  wire error;
  axis_mesh #(
      .SIZE0(SIZE0), .SIZE1(SIZE1), .V(V), .DEPTH(DEPTH), .W(W), .MAX_PACKET(MAX_PACKET), .SWITCHING(SWITCHING)
  ) dut (
      .clk_i(clk), .rst_i(rst), .link_up_i(up),
      .s_axis_tvalid(s_valid), .s_axis_tready(s_ready), .s_axis_tdata(s_data), .s_axis_tlast(s_last), .s_axis_tdest(s_dest),
      .m_axis_tvalid(m_valid), .m_axis_tready(m_ready), .m_axis_tdata(m_data), .m_axis_tlast(m_last), .m_axis_tid(m_id),
      .m_axis_tuser(m_user), .discard_o(discard), .error_o(error)
  );

  // ---- frames, in the order of the file
  integer at[0:MOST-1], from[0:MOST-1], to[0:MOST-1], beats[0:MOST-1], number[0:MOST-1], injected[0:MOST-1];
  reg [1:0] ended[0:MOST-1];  // 0 not yet, 1 delivered, 2 cut
  integer frames = 0, cycle = -3, ends = 0, cuts = 0, discards = 0, stall = 8, cut = -100, seed = 1, still = 0;
  integer now[0:N-1], beat[0:N-1];  // the frame that a terminal sends, and its beat
  integer frame[0:N-1], got[0:N-1];  // and those of the frame that it receives
  integer sent[0:N-1], f, t, file, a, b, c, d;
  reg [N-1:0] began = 0, held = 0, receiving = 0;
  reg [N*W-1:0] held_data;

  // Beat i of a frame: its number, the beat, and something that changes every bit.
  function [W-1:0] word(input integer which, input integer i);
    word = {W / 64{which[15:0], i[15:0], ~which[15:0] ^ {i[7:0], i[15:8]}, i[15:0] * 16'd40503}};
  endfunction

  task fail(input [8*48-1:0] what);
    begin
      $display("FAILED: cycle %0d, terminal %0d: %0s", cycle, t, what);
      $fatal;
    end
  endtask

  // The next frame of a terminal behind a given one; MOST: there is none.
  function integer next(input integer terminal, input integer behind);
    integer i;
    begin
      i = behind + 1;
      while (i < frames && from[i] != terminal) i = i + 1;
      next = i < frames ? i : MOST;
    end
  endfunction

  reg [8*256-1:0] name;
  initial begin
    if (!$value$plusargs("frames=%s", name)) name = "frames.txt";
    if ($value$plusargs("stall=%d", stall)) ;
    if ($value$plusargs("cut=%d", cut)) ;
    file = $fopen(name, "r");
    if (file == 0) begin
      $display("axis_mesh_tb: no file %0s", name);
      $fatal;
    end
    while ($fscanf(file, "%d %d %d %d\n", a, b, c, d) == 4) begin
      at[frames] = a;
      from[frames] = b;
      to[frames] = c;
      beats[frames] = d - 1;
      ended[frames] = 0;
      frames = frames + 1;
    end
    $fclose(file);
    for (t = 0; t < N; t = t + 1) begin
      now[t] = next(t, -1);
      beat[t] = 0;
      sent[t] = 0;
    end
  end

  always #5 clk = ~clk;

  // A beat has been received.
  task receive;
    begin
      if (!receiving[t] && !m_user[t]) begin
        frame[t] = m_data[t*W+48+:16];
        got[t] = 0;
        receiving[t] = 1;
      end
      f = frame[t];
      if (!m_user[t]) begin
        if (f >= frames || to[f] != t || m_id[t*16+:16] != from[f]) fail("a frame for somebody else");
        if (ended[f] != 0) fail("a frame that had come already");
        if (m_data[t*W+:W] !== word(f, got[t])) fail("wrong data");
        got[t] = got[t] + 1;
        if (m_last[t] && got[t] != beats[f]) fail("a frame of another length");
      end
      if (m_last[t]) begin
        if (m_user[t]) cuts = cuts + 1;
        if (receiving[t]) begin // of what is cut behind its header nobody knows more
          ended[f] = m_user[t] ? 2 : 1;
          $display("%0d,%0d,%0d,%0d,%0d,%0d,%0s", from[f], number[f], t, beats[f] + 1, injected[f], cycle,
                   m_user[t] ? "cut" : "delivered");
        end
        receiving[t] = 0;
        ends = ends + 1;
      end
    end
  endtask

  // What a terminal shows in the next cycle.
  task show;
    begin
      s_valid[t] <= now[t] < MOST && cycle + 1 >= 0 && at[now[t]] <= cycle + 1 && (held[t] || $unsigned($random(seed)) % 8 < stall);
      if (now[t] < MOST) begin
        s_data[t*W+:W] <= word(now[t], beat[t]);
        s_last[t] <= beat[t] == beats[now[t]] - 1;
        s_dest[t*16+:16] <= to[now[t]];
      end
      m_ready[t] <= $unsigned($random(seed)) % 8 < stall;
    end
  endtask

  always @(posedge clk) begin
    for (t = 0; t < N && !rst; t = t + 1) begin
      if (discard[t]) discards = discards + 1;
      if (m_valid[t] && m_ready[t]) receive;
      // what waits stays as it is
      if (began[t] && (!m_valid[t] || m_data[t*W+:W] !== held_data[t*W+:W])) fail("tvalid or tdata changed before tready");
      began[t] = m_valid[t] && !m_ready[t];
      if (s_valid[t] && s_ready[t]) begin
        held[t] = 0;
        if (beat[t] == 0) begin
          injected[now[t]] = cycle;
          number[now[t]] = sent[t];
          sent[t] = sent[t] + 1;
        end
        beat[t] = beat[t] + 1;
        if (s_last[t]) begin
          now[t] = next(t, now[t]);
          beat[t] = 0;
        end
      end else held[t] = s_valid[t];
    end
    held_data = m_data;
    if (error) fail("a rule of the protocol was broken");
    for (t = 0; t < N; t = t + 1) show;
    still = still + 1; // cycles in which nothing moves, nor will
    for (t = 0; t < N; t = t + 1)
      if ((now[t] < MOST && at[now[t]] > cycle) || (s_valid[t] && s_ready[t]) || (m_valid[t] && m_ready[t])) still = 0;
    if (cycle == cut) up[0] <= 1'b0;
    if (cycle == cut + 20) up[0] <= 1'b1;
    rst <= cycle < -1;
    cycle = cycle + 1;
    if (still > 200) begin
      t = 0;
      // a head on the wire when the link goes down is lost with all that follows it, one in each direction
      if (ends + discards > frames || ends + discards + (cut < 0 ? 0 : 2) < frames) fail("frames were lost");
      if (cut < 0 && cuts + discards > 0) fail("frames were cut or discarded without a fault");
      for (f = 0; f < frames; f = f + 1) if (now[from[f]] < MOST) fail("a frame was not sent");
      $display("passed: %0d frames, %0d cut, %0d discarded, %0d lost, %0d cycles", frames, cuts, discards,
               frames - ends - discards, cycle);
      $finish;
    end
  end
endmodule
`default_nettype wire
