#include "jvmstat/cycle_mark.h"

#include "base/error.h"
#include "support/perfimage.h"
#include "support/tap.h"

TEST(stays_until_the_field_is_rewritten)
{
	char field[PERFIMAGE_TEXT] = "No GC";
	struct cycle_mark m;
	EXPECT_INT(0, cycle_mark_place(&m, (volatile uint8_t *)field, sizeof(field), NULL));
	EXPECT(!cycle_mark_gone(&m));
	EXPECT(!cycle_mark_gone(&m));
	EXPECT_STR("No GC", field);
	strncpy(field, "No GC", sizeof(field)); /* the same text again, as the VM writes it */
	EXPECT(cycle_mark_gone(&m));
	EXPECT(!cycle_mark_gone(&m));
	EXPECT_INT(0, field[PERFIMAGE_TEXT - 1]);
}

TEST(leaves_the_field_as_it_was)
{
	char field[PERFIMAGE_TEXT] = "System.gc()", before[PERFIMAGE_TEXT];
	memcpy(before, field, sizeof(field));
	struct cycle_mark m;
	EXPECT_INT(0, cycle_mark_place(&m, (volatile uint8_t *)field, sizeof(field), NULL));
	EXPECT(memcmp(before, field, sizeof(field)) != 0);
	cycle_mark_release(&m);
	EXPECT(memcmp(before, field, sizeof(field)) == 0);
	EXPECT(!cycle_mark_gone(&m));
	cycle_mark_release(&m);
}

TEST(no_room_no_mark)
{
	uint8_t field[32] = {0};
	struct cycle_mark m;
	struct diag d = {0};
	EXPECT_INT(ERR_UNSUPPORTED, cycle_mark_place(&m, field, sizeof(field), &d));
	EXPECT(d.text[0] != '\0');
	EXPECT(m.at == NULL);
}

TEST(in_the_vms_own_memory)
{
	struct perfimage image;
	struct cycle_mark m;
	perfimage_init(&image);
	EXPECT_INT(
		ERR_NOT_FOUND, cycle_mark_open_memory(&m, image.bytes.at, image.bytes.len, NULL));
	EXPECT(m.at == NULL);
	uint32_t at = perfimage_text(&image, "sun.gc.lastCause", "No GC", PERFIMAGE_TEXT);
	EXPECT_INT(0, cycle_mark_open_memory(&m, image.bytes.at, image.bytes.len, NULL));
	EXPECT(m.at == image.bytes.at + at + PERFIMAGE_TEXT - 2);
	EXPECT_INT(1, *m.at);
	cycle_mark_release(&m);
	EXPECT_INT(0, image.bytes.at[at + PERFIMAGE_TEXT - 2]);
	perfimage_release(&image);
}

TEST(this_process_is_no_vm)
{
	struct cycle_mark m;
	struct diag d = {0};
	EXPECT_INT(ERR_NOT_FOUND, cycle_mark_open_self(&m, &d));
	EXPECT(strstr(d.text, "UsePerfData") != NULL);
	EXPECT(m.at == NULL);
}
