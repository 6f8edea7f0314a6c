/**
 * Length limits of OpenVPN packets; the shortest, a ping, has 37 bytes. Other lengths are another
 * protocol, or make the relay handle a packet per byte.
 */
const [SHORTEST, LONGEST] = [24, 2048];
const HEADER = 2;

/** Frames a packet as OpenVPN does in a TCP stream: length, then data. */
export function framed(packet: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(HEADER + packet.length);
  frame.writeUInt16BE(packet.length);
  packet.copy(frame, HEADER);
  return frame;
}

/**
 * Splits a stream into packets.
 * @returns accepts chunks; the returned packets are views, to be used at once
 * @throws RangeError when the stream is not OpenVPN
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
    // Copies, because a view would retain the whole chunk.
    rest = Buffer.from(bytes.subarray(at));
    return packets;
  };
}
