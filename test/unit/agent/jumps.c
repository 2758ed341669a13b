#include "agent/jumps.h"

#include "base/error.h"
#include "support/tap.h"

/* The list without a VM: what is put down, loaded and saved. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct jumps j;

static void begin(void)
{
	j = (struct jumps){.lock = &lock};
}

static void put(enum action_kind kind, uint64_t method, uint32_t depth)
{
	struct action a = {.lever = LEVER_JUMP, .kind = kind};
	a.at = (struct place_context){
		.place = {.vm_method = method, .bci = 3, .class_id = 1}, .depth = depth};
	j.changed = false;
	jumps_put(&j, &a);
}

TEST(a_place_is_taken_once_and_taken_back_once)
{
	begin();
	put(ACTION_TAKE, 7, 0);
	EXPECT(j.changed && j.list.count == 1 && j.list.at[0].on);
	put(ACTION_TAKE, 7, 0);
	EXPECT(!j.changed && j.list.count == 1);
	put(ACTION_KEEP, 8, 0);
	EXPECT(!j.changed && j.list.count == 1);
	put(ACTION_ADVISE, 8, 0);
	EXPECT(j.changed && j.list.count == 2 && j.list.at[1].on);
	put(ACTION_TAKE_BACK, 7, 0);
	EXPECT(j.changed && j.list.count == 2 && !j.list.at[0].on);
	put(ACTION_TAKE_BACK, 7, 0);
	EXPECT(!j.changed);
	jumps_close(&j);
}

TEST(a_rest_changes_no_place)
{
	begin();
	put(ACTION_REST, 7, 0);
	EXPECT(j.rests && !j.changed && j.list.count == 0);
	put(ACTION_RESUME, 7, 0);
	EXPECT(!j.rests && !j.changed);
	jumps_close(&j);
}

/* As places of their own. */
TEST(callers_tell_places_apart)
{
	begin();
	put(ACTION_TAKE, 7, 0);
	put(ACTION_TAKE, 7, 1);
	EXPECT(j.changed && j.list.count == 2);
	put(ACTION_TAKE_BACK, 7, 1);
	EXPECT(j.list.at[0].on && !j.list.at[1].on);
	EXPECT(!jumps_pending(&j)); /* in a VM that lets nothing be rewritten */
	jumps_close(&j);
}

static void add(struct decisions *d, const char *class_name, const char *allocates,
	enum decision_action action)
{
	struct decision *to = decisions_add(d);
	EXPECT_INT(0, decision_text(&to->at.class_name, class_name));
	EXPECT_INT(0, decision_text(&to->at.method, "run"));
	EXPECT_INT(0, decision_text(&to->at.descriptor, "()V"));
	EXPECT_INT(0, decision_text(&to->allocates, allocates));
	to->at.bci = (int32_t)d->list.count;
	to->action = action;
}

/* Names of the file become those of the VM; what was loaded is saved as it was. */
TEST(a_file_is_loaded_and_saved)
{
	static const struct {
		const char *class_name, *allocates, *vm_class, *vm_allocates;
		enum decision_action action;
	} rows[] = {
		{"com.acme.Shop$1", "byte[]", "com/acme/Shop$1", "[B", DECISION_JUMP},
		{"Shop", "com.acme.Order", "Shop", "Lcom/acme/Order;", DECISION_JUMP},
		{"Shop", "com.acme.Order[][]", "Shop", "[[Lcom/acme/Order;", DECISION_KEEP_OUT},
		{"Shop", "boolean[][]", "Shop", "[[Z", DECISION_JUMP},
		{"Shop", "bytes", "Shop", "Lbytes;", DECISION_JUMP},
	};
	enum { ROWS = sizeof(rows) / sizeof(rows[0]) };
	struct decisions d = {.list = {0}}, saved = {.list = {0}};
	begin();
	for (size_t i = 0; i < ROWS; i++)
		add(&d, rows[i].class_name, rows[i].allocates, rows[i].action);
	EXPECT_INT(0, jumps_load(&j, &d));
	EXPECT(j.changed && j.list.count == ROWS);
	for (size_t i = 0; i < ROWS; i++) {
		EXPECT_STR(rows[i].vm_class, j.list.at[i].class_name);
		EXPECT_STR(rows[i].vm_allocates, j.list.at[i].allocates);
		EXPECT_INT(rows[i].action == DECISION_JUMP, j.list.at[i].on);
	}
	EXPECT_INT(0, jumps_save(&j, &saved));
	EXPECT_INT(ROWS, saved.list.count);
	for (size_t i = 0; i < ROWS; i++) {
		EXPECT_STR(rows[i].class_name, saved.list.at[i].at.class_name);
		EXPECT_STR(rows[i].allocates, saved.list.at[i].allocates);
		EXPECT_INT(rows[i].action, saved.list.at[i].action);
		EXPECT_INT(i + 1, saved.list.at[i].at.bci);
	}
	decisions_release(&saved);
	decisions_release(&d);
	jumps_close(&j);
}

TEST(no_file_changes_nothing)
{
	struct decisions d = {.list = {0}}, saved = {.list = {0}};
	begin();
	EXPECT_INT(0, jumps_load(&j, &d));
	EXPECT(!j.changed);
	EXPECT_INT(0, jumps_save(&j, &saved));
	EXPECT_INT(0, saved.list.count);
	jumps_close(&j);
}
