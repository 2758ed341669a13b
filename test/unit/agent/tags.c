#include "agent/tags.h"

#include "support/fake_vm.h"
#include "support/tap.h"

TEST(classes_and_objects)
{
	EXPECT(!tags_is_class(1));
	EXPECT(!tags_is_class((1ll << 62) - 1));
	EXPECT(tags_is_class(tags_of_class(7, 77)));
	EXPECT(tags_is_class(tags_of_class(UINT32_MAX, UINT32_MAX)));
	EXPECT(tags_of_class(UINT32_MAX, UINT32_MAX) > 0);
}

TEST(a_class_of_one_recording)
{
	static const uint32_t values[] = {1, 2, 77, 1u << 29, (1u << 30) - 1};
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		for (size_t k = 0; k < ARRAY_SIZE(values); k++) {
			int64_t tag = tags_of_class(values[i], 123);
			EXPECT_INT(i == k ? 123 : 0, tags_class(values[k], tag));
		}
	EXPECT_INT(0, tags_class(3, 0));
	EXPECT_INT(0, tags_class(3, 123));
	EXPECT_INT(UINT32_MAX, tags_class(UINT32_MAX, tags_of_class(UINT32_MAX, UINT32_MAX)));
}

enum { OBJECTS = 3 * LIVE_BATCH / 2, RECORDING = 9 };

static struct vm vm;
static struct live live;

/* Objects and all classes are tagged, two classes alike. */
static void begin(void)
{
	struct diag d;
	jvmtiEnv *jvmti = fake_vm_jvmti();
	fake_vm_init(17);
	vm = (struct vm){0};
	EXPECT_INT(0, vm_open(&vm, fake_vm_java(), &d));
	EXPECT_INT(0, live_init(&live, OBJECTS, 1));
	for (uint32_t i = 0; i < OBJECTS; i++) {
		struct object_id id;
		fake_vm_tag_object(fake_vm_allocate(0, 100, NULL, 0), live_add(&live, &id));
	}
	for (int i = 0; i < FAKE_CLASSES; i++)
		(*jvmti)->SetTag(jvmti, fake_vm_class(i),
			tags_of_class(RECORDING, i == 0 ? 1 : (uint32_t)i));
}

static void end(void)
{
	live_release(&live);
	vm_close(&vm);
	EXPECT_INT(0, fake_vm_breaches());
	EXPECT_INT(0, fake_vm_memory_out());
	EXPECT_INT(0, fake_vm_references_out());
	fake_vm_release();
}

TEST(all_are_taken_out)
{
	_Atomic bool quit = false;
	begin();
	EXPECT_INT(OBJECTS, fake_vm_tagged());
	EXPECT_INT(FAKE_CLASSES, fake_vm_tagged_classes());
	tags_take_out(&vm, fake_vm_jni(), &live, RECORDING, FAKE_CLASSES - 1, &quit);
	EXPECT_INT(0, fake_vm_tagged());
	EXPECT_INT(0, fake_vm_tagged_classes());
	EXPECT_INT(3, fake_vm_calls(FAKE_GetObjectsWithTags));
	end();
}

TEST(the_vm_ends)
{
	_Atomic bool quit = true;
	begin();
	tags_take_out(&vm, fake_vm_jni(), &live, RECORDING, FAKE_CLASSES - 1, &quit);
	EXPECT_INT(OBJECTS, fake_vm_tagged());
	EXPECT_INT(0, fake_vm_calls(FAKE_GetObjectsWithTags));
	end();
}

/* A batch, or a tag, that is refused stays; the others go. */
TEST(refused)
{
	_Atomic bool quit = false;
	begin();
	fake_vm_refuse(FAKE_GetObjectsWithTags, 2);
	fake_vm_refuse(FAKE_SetTag, 5);
	tags_take_out(&vm, fake_vm_jni(), &live, RECORDING, FAKE_CLASSES - 1, &quit);
	EXPECT_INT(OBJECTS - LIVE_BATCH + 1, fake_vm_tagged());
	EXPECT_INT(0, fake_vm_tagged_classes());
	end();
}
