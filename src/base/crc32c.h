/* CRC-32C (Castagnoli, reflected 0x82f63b78, as in iSCSI and RFC 3720 B.4): start with 0, chain by
 * passing the last result. */
#ifndef BASE_CRC32C_H
#define BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

uint32_t crc32c(uint32_t crc, const void *bytes, size_t len);
/* The same without the processor's own instruction, which crc32c uses where there is one. */
uint32_t crc32c_by_table(uint32_t crc, const void *bytes, size_t len);

#endif
