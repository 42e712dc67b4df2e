/** A red dot: a PNG of one pixel, as base64. */
export const RED_DOT_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

const SAMPLE_RATE = 8_000;
const HEADER_BYTES = 44;

/** A short tone as a WAV file, as base64: 440 Hz, 50 ms, mono, 8 bits. */
export function createTone(): string {
  const samples = SAMPLE_RATE / 20;
  const file = Buffer.alloc(HEADER_BYTES + samples);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(HEADER_BYTES - 8 + samples, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16); // size of the format that follows
  file.writeUInt16LE(1, 20); // plain samples
  file.writeUInt16LE(1, 22); // one channel
  file.writeUInt32LE(SAMPLE_RATE, 24);
  file.writeUInt32LE(SAMPLE_RATE, 28); // bytes a second
  file.writeUInt16LE(1, 32); // bytes a sample
  file.writeUInt16LE(8, 34); // bits a sample
  file.write("data", 36, "latin1");
  file.writeUInt32LE(samples, 40);
  for (let at = 0; at < samples; at += 1) {
    file[HEADER_BYTES + at] = 128 + Math.round(100 * Math.sin((2 * Math.PI * 440 * at) / SAMPLE_RATE));
  }
  return file.toString("base64");
}
