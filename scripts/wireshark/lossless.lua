-- SPDX-License-Identifier: GPL-2.0-only
--
-- Wireshark and tshark support PFC and RoCEv2. This script adds the module's extensions: MAC control frames of OFC, GFC,
-- FAFC and BFC, in-band telemetry, and, where missing, the congestion notification packet and the bit BECN.
--
--   tshark -X lua_script:scripts/wireshark/lossless.lua -r CAPTURE
--   wireshark -X lua_script:scripts/wireshark/lossless.lua CAPTURE
--
-- doc/reading-a-capture.rst lists the fields. The layouts are those of model/flow-control/*/*-header.h,
-- model/wire/roce-header.h and model/wire/telemetry-header.h.

local MAC_CONTROL = 0x8808
local ROCE_PORT = 4791
local CLASSES = 8

-- One for each table of dissectors in which they are registered; the fields are all called lossless.*
local control = Proto("lossless", "Flow Control of a Lossless Network")
local roce = Proto("lossless_roce", "RoCEv2 in a Lossless Network")

local YES_OR_NO = { [0] = "no", [1] = "yes" }

local field = {
    ofc_classes = ProtoField.uint8("lossless.ofc.classes", "Classes, a bit each", base.HEX),
    ofc_stop = ProtoField.uint8("lossless.ofc.stop", "Stop", base.DEC, YES_OR_NO, 0x01),
    ofc_all = ProtoField.uint8("lossless.ofc.all", "All flows of the classes", base.DEC, YES_OR_NO, 0x02),
    ofc_port = ProtoField.uint8("lossless.ofc.port", "The port as a whole", base.DEC, YES_OR_NO, 0x04),
    ofc_count = ProtoField.uint16("lossless.ofc.count", "Flows listed"),
    ofc_flow = ProtoField.uint64("lossless.ofc.flow", "Flow, hash of its five-tuple", base.HEX),
    gfc_class = ProtoField.uint8("lossless.gfc.class", "Class"),
    gfc_stage = ProtoField.uint8("lossless.gfc.stage", "Halvings of the link's rate"),
    bfc_classes = ProtoField.uint8("lossless.bfc.classes", "Classes, a bit each", base.HEX),
    bfc_hashes = ProtoField.uint8("lossless.bfc.hashes", "Bits of a flow in the filter"),
    bfc_flows = ProtoField.uint32("lossless.bfc.flows", "Virtual flows"),
    bfc_filter = ProtoField.bytes("lossless.bfc.filter", "Filter of the flows that are to stop"),
    fafc_classes = ProtoField.uint16("lossless.fafc.classes", "Classes, a bit each", base.HEX),
}
for class = 0, CLASSES - 1 do
    local name = "lossless.fafc.time.c" .. class
    field["fafc_time" .. class] = ProtoField.uint32(name, "Class " .. class .. " pauses for (ns)")
end
control.fields = field

local roce_field = {
    becn = ProtoField.uint8("lossless.becn", "BECN", base.DEC, YES_OR_NO, 0x40),
    hops = ProtoField.uint8("lossless.telemetry.hops", "Switches left", base.DEC, nil, 0xf0),
    path = ProtoField.uint16("lossless.telemetry.path", "Exclusive or of their ids", base.HEX, nil, 0x0fff),
    rate = ProtoField.uint32("lossless.telemetry.rate", "Rate of the link (Mb/s)"),
    time = ProtoField.uint32("lossless.telemetry.time", "First bit leaves (ns, modulo 2^24)"),
    sent = ProtoField.uint32("lossless.telemetry.sent", "Sent before (bytes, modulo 2^27)"),
    queue = ProtoField.uint32("lossless.telemetry.queue", "Queue (bytes)"),
}
roce.fields = roce_field

local cut_short = ProtoExpert.new("lossless.cut_short", "Cut short", expert.group.MALFORMED, expert.severity.ERROR)
control.experts = { cut_short }

-- The dissectors that read these frames without this script.
local read_control = DissectorTable.get("ethertype"):get_dissector(MAC_CONTROL)
local read_roce = DissectorTable.get("udp.port"):get_dissector(ROCE_PORT)

-- Wireshark marks a truncated frame, and then also raises an error in Lua.
local function read(dissector, body, packet, tree)
    pcall(dissector.call, dissector, body, packet, tree)
end

-- Calls a function with each class whose bit is set.
local function each_class(bits, call)
    for class = 0, CLASSES - 1 do
        if bits:bitfield(8 * bits:len() - 1 - class) == 1 then
            call(class)
        end
    end
end

-- Each show_* function shows a body that begins with the opcode, and returns the text of the column Info, or nil if the
-- frame is truncated.

local function show_ofc(body, tree)
    local LIST = 46
    local PER_FLOW = 8
    if body:len() < LIST or body:len() < LIST + PER_FLOW * body(4, 2):uint() then
        return nil
    end
    tree:add(field.ofc_classes, body(2, 1))
    tree:add(field.ofc_stop, body(3, 1))
    tree:add(field.ofc_all, body(3, 1))
    tree:add(field.ofc_port, body(3, 1))
    tree:add(field.ofc_count, body(4, 2))
    local count = body(4, 2):uint()
    for i = 0, count - 1 do
        tree:add(field.ofc_flow, body(LIST + PER_FLOW * i, PER_FLOW))
    end
    local what = body(3, 1):bitfield(7) == 1 and "stop" or "go on"
    if body(3, 1):bitfield(5) == 1 then
        return "port: " .. what
    end
    local whom = body(3, 1):bitfield(6) == 1 and "all flows" or "flows listed: " .. count
    local classes = {}
    each_class(body(2, 1), function(class)
        table.insert(classes, class)
    end)
    return ("class %s: %s, %s"):format(table.concat(classes, ", "), what, whom)
end

local function show_gfc(body, tree)
    if body:len() < 4 then
        return nil
    end
    tree:add(field.gfc_class, body(2, 1))
    tree:add(field.gfc_stage, body(3, 1))
    return ("class %d: rate / 2^%d"):format(body(2, 1):uint(), body(3, 1):uint())
end

local function show_fafc(body, tree)
    if body:len() < 4 + 4 * CLASSES then
        return nil
    end
    tree:add(field.fafc_classes, body(2, 2))
    local texts = {}
    each_class(body(2, 2), function(class)
        local time = body(4 + 4 * class, 4)
        tree:add(field["fafc_time" .. class], time)
        table.insert(texts, ("class %d: %d ns"):format(class, time:uint()))
    end)
    return table.concat(texts, ", ")
end

local function show_bfc(body, tree)
    local FILTER = 10
    if body:len() < FILTER or body:len() < FILTER + body(8, 2):uint() then
        return nil
    end
    local filter = body(FILTER, body(8, 2):uint())
    tree:add(field.bfc_classes, body(2, 1))
    tree:add(field.bfc_hashes, body(3, 1))
    tree:add(field.bfc_flows, body(4, 4))
    tree:add(field.bfc_filter, filter)
    local bits = 0
    for bit = 0, 8 * filter:len() - 1 do
        bits = bits + filter(math.floor(bit / 8), 1):bitfield(bit % 8)
    end
    return ("stop, bits of the filter: %d of %d"):format(bits, 8 * filter:len())
end

local SCHEMES = {
    [0xfe01] = { name = "OFC", show = show_ofc },
    [0xfe02] = { name = "GFC", show = show_gfc },
    [0xfe03] = { name = "FAFC", show = show_fafc },
    [0xfe04] = { name = "BFC", show = show_bfc },
}

-- Wireshark shows that the frame is PFC, but its packet list does not show the classes and durations.
local function tell_pfc(body, info)
    if body:len() < 4 + 2 * CLASSES then
        return
    end
    each_class(body(2, 2), function(class)
        local quanta = body(4 + 2 * class, 2):uint()
        info:append(quanta == 0 and (", class %d: resume"):format(class)
            or (", class %d: %d quanta"):format(class, quanta))
    end)
end

function control.dissector(body, packet, tree)
    local opcode = body:len() >= 2 and body(0, 2):uint() or 0
    local scheme = SCHEMES[opcode]
    if not scheme then
        read(read_control, body, packet, tree)
        if opcode == 0x0101 then
            tell_pfc(body, packet.cols.info)
        end
        return
    end
    packet.cols.protocol = scheme.name
    local part = tree:add(control, body(), scheme.name)
    local text = scheme.show(body, part)
    if text then
        part:append_text(", " .. text)
        packet.cols.info = text
    else
        part:add_proto_expert_info(cut_short)
        packet.cols.info = "cut short"
    end
end

-- Rates by code (Mb/s).
local RATES = {
    [0] = 0, 100, 1000, 2500, 5000, 10000, 20000, 25000, 40000, 50000, 56000, 100000, 200000, 400000, 800000, 1600000,
}

local function show_telemetry(header, tree)
    local ROOM = 5
    local hops = header(0, 1):bitfield(0, 4)
    local part = tree:add(roce, header, ("Telemetry of %d switches"):format(hops))
    part:add(roce_field.hops, header(0, 1))
    part:add(roce_field.path, header(0, 2))
    for i = 0, math.min(hops, ROOM) - 1 do
        local hop = header(2 + 8 * i, 8)
        local rate = RATES[hop:bitfield(0, 4)]
        local queue = 80 * hop:bitfield(48, 16)
        local switch = part:add(roce, hop, ("Switch %d: %g Gb/s, queue %d B"):format(i + 1, rate / 1000, queue))
        switch:add(roce_field.rate, hop(0, 1), rate)
        switch:add(roce_field.time, hop(0, 4), hop:bitfield(4, 24))
        switch:add(roce_field.sent, hop(3, 3), 128 * hop:bitfield(28, 20))
        switch:add(roce_field.queue, hop(6, 2), queue)
    end
end

local BASE_HEADER = 12
local TELEMETRY = 42
local ACKNOWLEDGE = 0x11
local NOTIFICATION = 0x81

function roce.dissector(body, packet, tree)
    read(read_roce, body, packet, tree)
    if body:len() < BASE_HEADER then
        return
    end
    local opcode = body(0, 1):uint()
    local part = tree:add(roce, body(0, BASE_HEADER))
    part:add(roce_field.becn, body(4, 1))
    if opcode == NOTIFICATION then
        packet.cols.info = ("CNP QP=0x%06x"):format(body(5, 3):uint())
    end
    local at = BASE_HEADER + (opcode == ACKNOWLEDGE and 4 or 0)
    if body(4, 1):bitfield(7) == 1 and body:len() >= at + TELEMETRY then
        show_telemetry(body(at, TELEMETRY), part)
    end
end

DissectorTable.get("ethertype"):add(MAC_CONTROL, control)
DissectorTable.get("udp.port"):add(ROCE_PORT, roce)
