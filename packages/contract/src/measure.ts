/** Endpoint of a bandwidth measurement. `?ticket=` comes from the call `measure`. */
export const MEASURE_PATH = '/measure';

/** Maximum bytes of one measurement, each way: five seconds at 100 Mbit/s. */
export const MEASURE_BYTES = 64 * 1024 * 1024;
