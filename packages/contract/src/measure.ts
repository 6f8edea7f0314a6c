/** Where bytes come from and go to while a customer measures his line. `?ticket=` of the call `measure`. */
export const MEASURE_PATH = '/measure';

/** Most bytes of one measurement, each way: five seconds of a line of 100 Mbit/s. */
export const MEASURE_BYTES = 64 * 1024 * 1024;
