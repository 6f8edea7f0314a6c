/**
 * Every packet of OpenVPN lies between: its ping, the shortest, has 37 bytes or more. Whoever announces another length speaks
 * something else, or would have the relay do the work of a packet for each byte.
 */
const [SHORTEST, LONGEST] = [24, 2048];
const HEADER = 2;

/** A packet as OpenVPN writes it into a stream: its length, then itself. */
export function framed(packet: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(HEADER + packet.length);
  frame.writeUInt16BE(packet.length);
  packet.copy(frame, HEADER);
  return frame;
}

/**
 * Takes packets out of a stream, however that is cut.
 * @returns to be given each piece; its packets are parts of it and to be used at once
 * @throws RangeError when it is no stream of OpenVPN
 */
export function createUnframer(): (piece: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  return piece => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    const packets: Buffer[] = [];
    let at = 0;
    while (bytes.length - at >= HEADER) {
      const length = bytes.readUInt16BE(at);
      if (length < SHORTEST || length > LONGEST) throw new RangeError('no packet of OpenVPN');
      const end = at + HEADER + length;
      if (end > bytes.length) break;
      packets.push(bytes.subarray(at + HEADER, end));
      at = end;
    }
    // A copy: a part would keep the whole piece.
    rest = Buffer.from(bytes.subarray(at));
    return packets;
  };
}
