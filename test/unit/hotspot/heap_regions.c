#include "hotspot/heap_regions.h"

#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"
#include "support/vm_spaces.h"

enum { SIZE = 1 << 20, MOST = 8 };

static const struct heap_layout g1 = {.collector = HEAP_G1}, serial = {.collector = HEAP_SERIAL},
				parallel = {.collector = HEAP_PARALLEL};

struct snapshot {
	struct heap_regions r;
	struct region at[MOST];
};

/* A letter for each region: its kind, in upper case if there is something in it. */
static struct heap_regions *regions(struct snapshot *s, const char *kinds)
{
	static const char letters[] = "fesohr";
	const uintptr_t base = 64 * (uintptr_t)SIZE;
	s->r = (struct heap_regions){
		.at = s->at, .base = base, .shift = 20, .count = strlen(kinds)};
	for (size_t i = 0; i < s->r.count; i++) {
		char lower = (char)(kinds[i] | 0x20);
		uintptr_t bottom = base + i * SIZE;
		bool used = kinds[i] != lower;
		s->at[i] = (struct region){.bottom = bottom,
			.top = bottom + (used ? SIZE / 2 : 0),
			.end = bottom + SIZE,
			.kind = (uint8_t)(strchr(letters, lower) - letters)};
	}
	return &s->r;
}

TEST(what_is_used_of_a_kind)
{
	struct snapshot s;
	EXPECT_INT(SIZE, heap_regions_used(regions(&s, "EOHrOoS"), REGION_OLD));
	EXPECT_INT(SIZE / 2, heap_regions_used(&s.r, REGION_HUMONGOUS));
	EXPECT_INT(0, heap_regions_used(&s.r, REGION_FREE));
}

/* A young region that is old afterwards was not evacuated to its end. */
TEST(whether_evacuation_failed)
{
	struct snapshot before, after;
	EXPECT(heap_regions_failed(regions(&before, "EESO"), regions(&after, "OfSO")));
	EXPECT(heap_regions_failed(regions(&before, "EESO"), regions(&after, "ffOO")));
	EXPECT(!heap_regions_failed(regions(&before, "EESOff"), regions(&after, "fffOSO")));
	EXPECT(!heap_regions_failed(regions(&before, ""), regions(&after, "OO")));
}

/* Whatever young ones become: a failed one is old, and nothing was taken for it. */
TEST(whether_old_regions_were_taken)
{
	struct snapshot before, after;
	EXPECT(heap_regions_took_old(regions(&before, "EOOf"), regions(&after, "fOfS")));
	EXPECT(heap_regions_took_old(regions(&before, "EOOf"), regions(&after, "fOSO")));
	EXPECT(!heap_regions_took_old(regions(&before, "EOOfH"), regions(&after, "OOOSf")));
	EXPECT(!heap_regions_took_old(regions(&before, ""), regions(&after, "OO")));
}

TEST(kinds_of_g1s_pauses)
{
	static const struct {
		const char *before, *after;
		enum heap_pause kind;
	} all[] = {
		{"EEOf", "ffOS", PAUSE_YOUNG},
		{"EEOf", "feOS", PAUSE_YOUNG},
		{"EEOH", "ffOf", PAUSE_YOUNG}, /* eager reclaim of a large object */
		{"EEOO", "ffOf", PAUSE_MIXED},
		{"EEOO", "ffOe", PAUSE_MIXED},
		{"EEOO", "ffOE", PAUSE_MIXED}, /* made in the pause for who asked */
		{"EEOO", "OfOO", PAUSE_YOUNG}, /* evacuation failed */
		{"EEOO", "EEOO", PAUSE_OTHER},
		{"EEOO", "EEOf", PAUSE_OTHER}, /* Cleanup, Remark */
		{"EEHr", "EEff", PAUSE_OTHER},
		{"ffOO", "ffOO", PAUSE_OTHER},
	};
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct snapshot b, a;
		struct heap_regions *before = regions(&b, all[i].before),
				    *after = regions(&a, all[i].after);
		after->collections = 5; /* tells nothing */
		EXPECT_INT(all[i].kind, heap_pause_kind(&g1, before, after));
		after->full_collections = 1;
		EXPECT_INT(PAUSE_FULL, heap_pause_kind(&g1, before, after));
	}
}

TEST(kinds_of_the_others_pauses)
{
	struct snapshot b, a;
	struct heap_regions *before = regions(&b, "Esso"), *after = regions(&a, "eSsO");
	EXPECT_INT(PAUSE_OTHER, heap_pause_kind(&serial, before, after));
	after->collections = 1;
	EXPECT_INT(PAUSE_YOUNG, heap_pause_kind(&serial, before, after));
	EXPECT_INT(PAUSE_YOUNG, heap_pause_kind(&parallel, before, after));
	after->full_collections = 1;
	EXPECT_INT(PAUSE_FULL, heap_pause_kind(&parallel, before, after));
}

static void expect_fates(
	const struct heap_layout *h, const char *was, const char *is, const char *want)
{
	static const char letters[] = "kefxc"; /* kept, evacuated, failed, freed, compacted */
	struct snapshot b, a;
	struct heap_regions *before = regions(&b, was), *after = regions(&a, is);
	after->collections = h->collector != HEAP_G1;
	enum heap_pause pause = heap_pause_kind(h, before, after);
	for (size_t i = 0; want[i]; i++)
		EXPECT_INT(strchr(letters, want[i]) - letters,
			heap_region_fate(h, pause, before, after, i));
}

TEST(what_became_of_regions)
{
	expect_fates(&g1, "EESOOHf", "ffeOOHS", "eeekkkk");
	expect_fates(&g1, "EESOOHr", "fOEOfff", "efekexx");
	expect_fates(&g1, "EEOOHr", "EEOfff", "kkkxxx"); /* no evacuation */
	expect_fates(&g1, "EOOH", "HeHf", "eeex");
	expect_fates(&serial, "ESsO", "esSO", "eeek");
	expect_fates(&serial, "ESsO", "ESSO", "ffek"); /* promotion failed */
	struct snapshot b, a;
	struct heap_regions *before = regions(&b, "EOf"), *after = regions(&a, "fOO");
	EXPECT_INT(FATE_COMPACTED, heap_region_fate(&g1, PAUSE_FULL, before, after, 0));
	EXPECT_INT(FATE_KEPT, heap_region_fate(&g1, PAUSE_FULL, before, after, 2));
	EXPECT_INT(FATE_KEPT, heap_region_fate(&g1, PAUSE_YOUNG, before, after, 3));
}

TEST(an_object_made_in_the_pause)
{
	struct snapshot b, a;
	struct heap_regions *before = regions(&b, "ESsO"), *after = regions(&a, "EsSO");
	bool sure;
	after->at[0].top = after->at[0].bottom + 64;
	after->collections = 1;
	EXPECT_INT(FATE_EVACUATED, heap_region_fate(&parallel, PAUSE_YOUNG, before, after, 0));
	EXPECT(heap_region_written(&parallel, PAUSE_YOUNG, before, after, 0, &sure) ==
		after->at[0].bottom);
	EXPECT(sure);
	EXPECT(heap_region_written(&parallel, PAUSE_YOUNG, before, after, 2, &sure) ==
		after->at[2].top);
	EXPECT(sure);
	EXPECT(heap_region_written(&parallel, PAUSE_FULL, before, after, 0, &sure) ==
		after->at[0].top);
	EXPECT(!sure);
	/* Larger than all that there was. */
	after->at[0].top = before->at[0].top + 64;
	EXPECT_INT(FATE_EVACUATED, heap_region_fate(&serial, PAUSE_YOUNG, before, after, 0));
	EXPECT(heap_region_written(&serial, PAUSE_YOUNG, before, after, 0, &sure) ==
		after->at[0].bottom);
	EXPECT(sure);
	/* As much as there was: nothing has been moved. */
	after->at[0].top = before->at[0].top;
	EXPECT_INT(FATE_FAILED, heap_region_fate(&serial, PAUSE_YOUNG, before, after, 0));
	after->at[0].top = after->at[0].bottom + 64;
	/* An empty survivor space that begins elsewhere now (Parallel). */
	before->at[1].end -= 4096;
	after->at[1].bottom = after->at[1].top = before->at[1].end;
	EXPECT_INT(FATE_EVACUATED, heap_region_fate(&parallel, PAUSE_YOUNG, before, after, 1));
	/* Serial tells how far it has compacted. */
	after->at[0].compacted = after->at[0].bottom + 8;
	EXPECT(heap_region_written(&serial, PAUSE_FULL, before, after, 0, &sure) ==
		after->at[0].bottom + 8);
	EXPECT(sure);
	before = regions(&b, "EEOf"), after = regions(&a, "fEOS");
	EXPECT(heap_region_written(&g1, PAUSE_YOUNG, before, after, 1, &sure) ==
		after->at[1].bottom);
	EXPECT(sure);
	EXPECT(heap_region_written(&g1, PAUSE_YOUNG, before, after, 3, &sure) == after->at[3].top);
}

TEST(memory_given_back_in_the_pause)
{
	struct snapshot b, a;
	struct heap_regions *before = regions(&b, "ESSO"), *after = regions(&a, "eSso");
	EXPECT(heap_region_readable(&parallel, before, after, 2) == before->at[2].top);
	after->at[2].end = before->at[2].bottom + 4096;
	EXPECT(heap_region_readable(&parallel, before, after, 2) == after->at[2].end);
	after->at[2].end = before->at[2].bottom - 4096;
	EXPECT(heap_region_readable(&parallel, before, after, 2) == before->at[2].bottom);
	EXPECT(heap_region_readable(&parallel, before, after, 0) == before->at[0].top);
	before = regions(&b, "EOf"), after = regions(&a, "Hef");
	EXPECT(heap_region_readable(&g1, before, after, 0) == before->at[0].bottom);
	EXPECT(heap_region_readable(&g1, before, after, 1) == before->at[1].top);
}

/* Eden shrinks or grows, and the survivor spaces move with its end. */
TEST(memory_that_another_space_has_taken)
{
	struct snapshot b, a;
	struct heap_regions *before = regions(&b, "ESSO"), *after = regions(&a, "eSso");
	struct heap_layout touched = parallel;
	touched.touched = true;
	uintptr_t end = before->at[0].end;
	for (size_t i = 0; i < 3; i++)
		EXPECT(heap_region_walkable(&touched, before, after, i) == before->at[i].top);
	after->at[0].end = after->at[1].bottom = end - 4096;
	before->at[0].top = end;
	EXPECT(heap_region_walkable(&touched, before, after, 0) == end - 4096);
	EXPECT(heap_region_walkable(&parallel, before, after, 0) == end);
	EXPECT(heap_region_walkable(&touched, before, after, 1) == before->at[1].top);
	after->at[0].end = after->at[1].bottom = end + 4096;
	before->at[1].top = end + 8192;
	EXPECT(heap_region_walkable(&touched, before, after, 0) == end);
	EXPECT(heap_region_walkable(&touched, before, after, 1) == before->at[1].bottom);
	EXPECT(heap_region_walkable(&parallel, before, after, 1) == end + 8192);
}

TEST(the_region_of_an_address)
{
	struct snapshot s;
	struct heap_regions *r = regions(&s, "EOfE");
	for (int shift = 20; shift >= 0; shift -= 20) {
		r->shift = (uint32_t)shift;
		EXPECT(heap_regions_find(r, r->base - 1) == NULL);
		EXPECT(heap_regions_find(r, r->base) == &r->at[0]);
		EXPECT(heap_regions_find(r, r->base + SIZE - 1) == &r->at[0]);
		EXPECT(heap_regions_find(r, r->base + SIZE) == &r->at[1]);
		EXPECT(heap_regions_find(r, r->base + 4 * SIZE - 1) == &r->at[3]);
		EXPECT(heap_regions_find(r, r->base + 4 * SIZE) == NULL);
	}
	EXPECT(heap_regions_find(r, 0) == NULL);
}

/* As much of a VM's own tables as is read. */
struct vm_region {
	uintptr_t bottom, top, end;
	int32_t tag;
};

static const int64_t tags_11[] = {0, 2, 3, 16, 12, 13, 32 | 16 | 8 | 1, 99},
		     tags_21[] = {0, 2, 3, 8, 4, 5, 8, 99};

static void expect_read(
	const int64_t *tags, int64_t humongous_tag, int64_t old_mask, int64_t archive_mask)
{
	static const uint8_t want[] = {REGION_FREE, REGION_EDEN, REGION_SURVIVOR, REGION_OLD,
		REGION_HUMONGOUS, REGION_HUMONGOUS_REST, REGION_OLD};
	struct vm_region made[7];
	uintptr_t table[8] = {0};
	struct {
		uint32_t collections, full;
		uintptr_t *base;
		uint64_t length;
	} heap = {7, 2, table, 8};
	for (size_t i = 0; i < ARRAY_SIZE(made); i++) {
		uintptr_t bottom = (uintptr_t)(100 + i + 1) * SIZE;
		made[i] =
			(struct vm_region){bottom, bottom + 8 * i, bottom + SIZE, (int32_t)tags[i]};
		table[i + 1] = (uintptr_t)&made[i];
	}
	struct heap_layout h = {.collector = HEAP_G1,
		.heap = (uintptr_t)&heap,
		.table_base = 8,
		.table_length = 16,
		.region_top = 8,
		.region_end = 16,
		.region_type = 24,
		.eden_tag = 2,
		.survivor_tag = 3,
		.old_mask = old_mask,
		.archive_mask = archive_mask,
		.humongous_mask = 4,
		.humongous_tag = humongous_tag,
		.region_bytes = SIZE};
	struct heap_regions r;
	EXPECT_INT(0, heap_regions_init(&r, &h));
	EXPECT_INT(0, heap_regions_read(&h, &r));
	EXPECT_INT(8, r.count);
	EXPECT_INT(7, r.collections);
	EXPECT_INT(2, r.full_collections);
	EXPECT(r.at[0].bottom == 0 && r.at[0].kind == REGION_FREE);
	for (size_t i = 0; i < ARRAY_SIZE(made); i++) {
		EXPECT_INT(want[i], r.at[i + 1].kind);
		EXPECT_INT(i == 6 && archive_mask, r.at[i + 1].archived);
		EXPECT(r.at[i + 1].top == made[i].top);
		EXPECT(heap_regions_find(&r, made[i].bottom + 5) == &r.at[i + 1]);
	}
	EXPECT(heap_regions_find(&r, 100 * (uintptr_t)SIZE) == NULL); /* none was made there */
	heap.length = 9;
	EXPECT_INT(ERR_CORRUPT, heap_regions_read(&h, &r));
	EXPECT_INT(0, r.count);
	heap_regions_release(&r);
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, heap_regions_init(&r, &h));
	mem_fail_at(0);
	heap.length = 0;
	EXPECT_INT(ERR_CORRUPT, heap_regions_init(&r, &h));
}

TEST(reading_g1s_table)
{
	expect_read(tags_11, 12, 16, 32);
	expect_read(tags_21, 4, 8, 0);
}

TEST(spaces_keep_their_place_when_from_and_to_change)
{
	struct vm_spaces s = {{8000, 8100, 9000}, {{9000, 9000, 9500}, {9500, 9700, 10000}},
		{1000, 1200, 8000}, .heap = {.collections = 1}};
	struct heap_layout h = vm_spaces_layout(&s, HEAP_SERIAL);
	struct heap_regions r;
	EXPECT_INT(0, heap_regions_init(&r, &h));
	for (int round = 0; round < 2; round++) {
		EXPECT_INT(0, heap_regions_read(&h, &r));
		EXPECT_INT(4, r.count);
		EXPECT(r.at[0].kind == REGION_EDEN && r.at[0].top == 8100);
		EXPECT(r.at[1].kind == REGION_SURVIVOR && r.at[1].bottom == 9000);
		EXPECT(r.at[2].kind == REGION_SURVIVOR && r.at[2].top == 9700);
		EXPECT(r.at[3].kind == REGION_OLD && r.at[3].end == 8000);
		EXPECT(heap_regions_find(&r, 9999) == &r.at[2]);
		EXPECT(heap_regions_find(&r, 10000) == NULL);
		s.young[1] = &s.survivor[0];
		s.young[2] = &s.survivor[1];
	}
	heap_regions_release(&r);
}

/* Who asked for a full collection gets its memory behind the survivors, where eden stays full. */
TEST(what_is_not_written_among_survivors)
{
	struct region was[] = {{8000, 8500, 9000, 0, REGION_SURVIVOR, false}};
	struct region is[] = {{8000, 8700, 9000, 8600, REGION_SURVIVOR, false}};
	const struct heap_regions before = {.at = was, .count = 1, .room = 1};
	const struct heap_regions after = {.at = is, .count = 1, .room = 1};
	bool sure;
	EXPECT(heap_region_written(&serial, PAUSE_FULL, &before, &after, 0, &sure) == 8600 && sure);
	EXPECT(heap_region_written(&serial, PAUSE_YOUNG, &before, &after, 0, &sure) == 8700 &&
		sure);
	is[0].compacted = 0; /* not told: from 22 on */
	EXPECT(heap_region_written(&serial, PAUSE_FULL, &before, &after, 0, &sure) == 8700 &&
		!sure);
	EXPECT(heap_region_written(&g1, PAUSE_FULL, &before, &after, 0, &sure) == 8700 && sure);
}

/* A full collection has left some in eden, and the young generation has grown then: the note of how
 * far it was compacted is gone, but the VM's counter tells. */
TEST(eden_that_serial_has_made_anew)
{
	static const struct {
		uintptr_t young_end, old_compacted, left, written;
		bool sure;
	} rows[] = {
		{10400, 7990, 8200, 8200, true}, {10400, 7990, 0, 8300, false}, /* no counters */
		{10400, 7990, 8304, 8300, false}, /* of another time */
		{10400, 7700, 8200, 8000, true},  /* all has found room in the old one */
		{9200, 7990, 8200, 8000, true},   /* it has not grown */
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct region was[] = {{8000, 8900, 9000, 8000, REGION_EDEN, false},
			{9000, 9100, 9200, 9000, REGION_SURVIVOR, false},
			{1000, 6000, 8000, 1000, REGION_OLD, false}};
		struct region is[] = {{8000, 8300, 9000, 8000, REGION_EDEN, false},
			{9000, 9000, rows[i].young_end, 9000, REGION_SURVIVOR, false},
			{1000, 7990, 8800, rows[i].old_compacted, REGION_OLD, false}};
		const struct heap_regions before = {.at = was, .count = 3, .room = 3};
		const struct heap_regions after = {
			.at = is, .count = 3, .room = 3, .left = rows[i].left};
		bool sure;
		EXPECT(heap_region_written(&serial, PAUSE_FULL, &before, &after, 0, &sure) ==
			rows[i].written);
		EXPECT_INT(rows[i].sure, sure);
	}
}

TEST(how_far_parallels_full_collection_went)
{
	struct vm_spaces s = {{8000, 8024, 9000}, {{9000, 9000, 9500}, {9500, 9500, 10000}},
		{1000, 7000, 8000}, .heap = {.collections = 2, .full = 1}};
	/* A space, its new top, and more that is not read. */
	const uintptr_t notes[] = {(uintptr_t)&s.tenured, 6936, 3, (uintptr_t)&s.eden, 8000, 5,
		(uintptr_t)&s.survivor[0], 9000, 7, (uintptr_t)&s.survivor[1], 9500, 9};
	struct heap_layout h = vm_spaces_layout(&s, HEAP_PARALLEL);
	struct heap_regions before, after;
	bool sure;
	EXPECT_INT(0, heap_regions_init(&before, &h));
	EXPECT_INT(0, heap_regions_init(&after, &h));
	EXPECT_INT(0, heap_regions_read(&h, &before));
	before.at[0].top = 8500;
	before.at[3].top = 6000;
	EXPECT_INT(0, heap_regions_read(&h, &after));
	EXPECT(heap_region_written(&h, PAUSE_FULL, &before, &after, 0, &sure) == 8024 && !sure);
	heap_layout_spaces(&h, notes, sizeof(notes));
	EXPECT_INT(0, heap_regions_read(&h, &after));
	EXPECT(heap_region_written(&h, PAUSE_FULL, &before, &after, 0, &sure) == 8000 && sure);
	EXPECT(heap_region_written(&h, PAUSE_FULL, &before, &after, 3, &sure) == 6936 && sure);
	/* Notes of an earlier one. */
	EXPECT(heap_region_written(&h, PAUSE_YOUNG, &before, &after, 3, &sure) == 7000 && !sure);
	heap_layout_spaces(&h, NULL, 0);
	EXPECT_INT(0, heap_regions_read(&h, &after));
	EXPECT(after.at[0].compacted == 0 && after.at[3].compacted == 0);
	h.collector = HEAP_SERIAL;
	heap_layout_spaces(&h, notes, sizeof(notes));
	EXPECT(!h.spaces);
	heap_regions_release(&before);
	heap_regions_release(&after);
}
